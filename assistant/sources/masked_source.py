"""A source with masked columns: a wrapper that returns none of their values.

The broker, the checks and the catalog read through it, so kernel, models and page never receive masked values.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.core.catalog import Catalog
from assistant.core.doubts import Doubt, list_other_notes
from assistant.core.values import Budget, Parameters, Result
from assistant.query.mask_inheritance import Inherited, inherit_masks
from assistant.query.mask_lineage import Covered
from assistant.query.mask_rules import apply_masks, find_masked_outputs
from assistant.query.masks import (
    Masks,
    MasksNow,
    describe_mask,
    exclude_masked_doubts,
    exclude_masked_values,
    find_masks,
    is_masked,
)

if TYPE_CHECKING:
    from assistant.sources.engines.access import Access
    from assistant.sources.sources import Source


class MaskedSource:
    """A `Source` whose masked columns arrive as `•••`. Await `check` once before anything else.

    Args:
        source: The source as it is.
        mask: `table.column` or `source.table.column`; those of other sources are passed over. Or what gives them: it is
            asked for every query, before it runs and after, so that a mask holds from the moment it is set.
        functions: Functions beside the engine's own that read no table, as a person says.
    """

    def __init__(self, source: Source, mask: Sequence[str] | MasksNow, *, functions: Collection[str] = ()) -> None:
        self._functions = functions
        self._source = source
        self._told = mask if callable(mask) else lambda: mask
        self._found: tuple[Catalog, tuple[str, ...], Inherited] | None = None

    @property
    def name(self) -> str:
        """An identifier."""
        return self._source.name

    @property
    def dialect(self) -> str:
        """sqlglot's name."""
        return self._source.dialect

    @property
    def functions(self) -> frozenset[str]:
        """What a person allowed; where columns are masked, only what they say reads no table."""
        return self._source.functions

    @property
    def display(self) -> str:
        """The address as a person may see it."""
        return self._source.display

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What was chosen while loading, of columns that are not masked: a doubt may name values."""
        if self._found is None:
            return self._source.doubts
        return exclude_masked_doubts(self._source.doubts, self._found[2].masks)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed while loading, and what is masked."""
        if self._found is None:
            return self._source.notes
        catalog, _, inherited = self._found
        clear = self.doubts
        hidden = [doubt for doubt in self._source.doubts if doubt not in clear]
        masked = (
            describe_mask(table.name, column.name, inherits=not is_masked(inherited.own_masks, table, column))
            for table in catalog.tables
            for column in table.columns
            if is_masked(inherited.masks, table, column)
        )
        return (*list_other_notes(self._source.notes, hidden), *dict.fromkeys(masked))

    async def check(self) -> None:
        """Find the masked columns in the source.

        Raises:
            SourceError: The engine cannot be read, or a masked column does not exist.
        """
        if await self._now():
            await asyncio.to_thread(self._masks, await self._source.catalog(), await self._now())

    async def catalog(self) -> Catalog:
        """The catalog, without a value of a masked column.

        Raises:
            SourceError: The engine cannot be read, or a masked column does not exist.
        """
        catalog = await self._source.catalog()
        masks = (await asyncio.to_thread(self._masks, catalog, await self._now())).masks
        return exclude_masked_values(catalog, masks) if masks else catalog

    async def catalog_in_clear(self) -> Catalog:
        """The catalog with the values of masked columns, to find where they were told before. For nobody's eyes.

        Raises:
            SourceError: The engine cannot be read.
        """
        return await self._source.catalog()

    async def masks(self) -> Masks:
        """The columns that are masked now, by table, in lower case.

        Raises:
            SourceError: The engine cannot be read, or a masked column does not exist.
        """
        return (await asyncio.to_thread(self._masks, await self._source.catalog(), await self._now())).masks

    async def run_in_clear(self, sql: str, budget: Budget) -> Result:
        """Run one statement of the program's own with the values of masked columns, to find them in texts.

        Raises:
            QueryRefused: As `Source.run`.
        """
        return await self._source.run(sql, None, budget)

    def refresh(self) -> None:
        """Forget the catalog."""
        self._source.refresh()

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement, and cover what is masked in its result.

        Raises:
            QueryRefused: It uses a masked column otherwise than selecting it; or as `Source.run`.
        """
        mask, cover = await self._covered(sql)
        result = await self._source.run(sql, params, budget)
        while True:
            table = await asyncio.to_thread(apply_masks, result.table, cover)
            if await self._now() == mask:
                return replace(result, table=table)
            mask, cover = await self._covered(sql)

    async def explain(self, sql: str) -> str:
        """The engine's plan, for what may be run: a plan tells how many rows a comparison would find.

        Raises:
            QueryRefused: As `run`.
        """
        mask, _ = await self._covered(sql)
        plan = await self._source.explain(sql)
        if await self._now() != mask:
            await self._covered(sql)
        return plan

    async def access(self) -> Access:
        """What may be done on the source below."""
        return await self._source.access()

    async def close(self) -> None:
        """Let go of the engine."""
        await self._source.close()

    async def _now(self) -> tuple[str, ...]:
        return await asyncio.to_thread(lambda: tuple(self._told()))  # of several sources it is found in their SQL

    async def _covered(self, sql: str) -> tuple[tuple[str, ...], Covered]:
        """What a query's result must not show, and the setting that says so."""
        mask = await self._now()
        if not mask:
            return mask, Covered()
        catalog = await self._source.catalog()
        inherited = await asyncio.to_thread(self._masks, catalog, mask)
        return mask, await asyncio.to_thread(
            find_masked_outputs,
            sql,
            dialect=self.dialect,
            catalog=catalog,
            masks=inherited.masks,
            clear=inherited.clear,
            functions=self._functions,
        )

    def _masks(self, catalog: Catalog, mask: tuple[str, ...]) -> Inherited:
        """The masked columns and what inherits from them, found once for each catalog and setting."""
        if self._found is None or self._found[0] is not catalog or self._found[1] != mask:
            inherited = inherit_masks(find_masks(mask, catalog), catalog, functions=self._functions)
            self._found = (catalog, mask, inherited)
        return self._found[2]
