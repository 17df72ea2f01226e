"""Language models on the settings screen: the model of each role, a connection test, a form for models, and budgets.

A test asks for one word and sends no data. An API key is stored in the keyring or in an environment variable.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.models import KeyPlace, ModelForm, TrialResult
from assistant.api.settings import SettingChanges
from ui import session_hub
from ui.screens.settings_fields import Field, draw_choice, draw_multiple_choice, draw_number, draw_outcome
from ui.session_hub import SessionHub
from ui.views import disclosing
from ui.views.text import line, plain

_ANALYST = "Tandem's built-in analyst: nothing leaves this machine"
_ROLES = {"planner": "Plans", "coder": "Writes code", "reviewer": "Reviews"}
_PLACES: dict[KeyPlace, str] = {
    "none": "It needs none",
    "keyring": "In the keyring of this computer",
    "environment": "In an environment variable",
}
_BUDGETS = tuple(
    Field(place=("budgets", span, budget), label=f"{label} {of}", is_integer=budget != "dollars", may_be_empty=True)
    for budget, label in (("calls", "Calls"), ("tokens", "Tokens"), ("dollars", "US dollars"), ("seconds", "Seconds"))
    for span, of in (("turn", "for each question"), ("session", "for a conversation"))
)
_FORM = "model-form"


def draw(live: SessionHub) -> None:
    """Draw the section."""
    settings = live.workspace.choices.settings
    forms = settings.forms()
    with st.container(border=True, key="models", gap="small"):
        st.markdown("**Language models**")
        _draw_roles(settings, [form.name for form in forms])
        _list(live, forms)
        with st.expander("Add or change a language model", type="compact", key="model-edit"):
            _edit(live, settings, forms)
        with st.expander("Usage limits", type="compact", key="budgets"):
            _draw_budgets(settings)
        st.markdown(":gray[:small[Takes effect with your next question.]]")


def _draw_roles(settings: SettingChanges, names: list[str]) -> None:
    draw_choice(settings, ("model",), "Who answers", ["", *names], names=lambda name: name or _ANALYST)
    if not settings.value(("model",)) and not any(settings.value((f"{role}_model",)) for role in _ROLES):
        st.markdown("None: Tandem's built-in analyst answers, and nothing leaves this machine.")
        if not names:
            return
    with st.expander("Another model for a role", type="compact", key="roles"):
        for role, label in _ROLES.items():
            draw_choice(settings, (f"{role}_model",), label, ["", *names], names=lambda option: option or "As above")
        draw_multiple_choice(settings, ("fallbacks",), "Where a model cannot be reached, these go on", names)


def _list(live: SessionHub, forms: Sequence[ModelForm]) -> None:
    """Every model with what it is used for, and its test."""
    used = {model.name: f"{line(model.use)}, at {line(model.endpoint)}" for model in live.workspace.models.all()}
    for name in dict.fromkeys([*used, *(form.name for form in forms)]):
        with st.container(horizontal=True, vertical_alignment="center", key=f"model-{name}"):
            st.markdown(f"{line(name)} :gray[{used.get(name, 'not used')}]", width="stretch")
            test = st.button("Test", key=f"test-{name}", type="tertiary", icon=":material/network_check:")
        if test:
            with st.spinner("Asking it for one word"):
                _draw_trial(live.call(live.workspace.models.try_out(name), timeout_s=None))


def _edit(live: SessionHub, settings: SettingChanges, forms: Sequence[ModelForm]) -> None:
    """The form of one model, new or known."""
    forms_by_name = {form.name: form for form in forms}
    selection = st.selectbox(
        "Model", ["", *forms_by_name], format_func=lambda name: name or "A new one", key="model-chosen"
    )
    now = forms_by_name.get(selection) or ModelForm(
        name="", fixed=settings.fixed(("models",)) if not forms_by_name else ""
    )
    if now.fixed:
        draw_outcome(_FORM, now.fixed)
        return
    form = _read_form(settings, now, key=f"{selection}-{st.session_state.get('model-forms', 0)}")
    ready = bool(form.name and form.model)
    with st.container(horizontal=True, gap="small"):
        test = st.button("Test", icon=":material/network_check:", disabled=not ready, key="model-try")
        st.button("Save", type="primary", disabled=not ready, key="model-save", on_click=_keep, args=(form,))
        if selection:
            st.button("Remove", type="tertiary", key="model-remove", on_click=_remove, args=(selection,))
    if test:
        try:
            with st.spinner("Asking it for one word"):
                _draw_trial(live.call(settings.try_form(form), timeout_s=None))
        except AssistantError as error:
            st.error(plain(str(error)), icon=":material/error:")
    draw_outcome(_FORM)


def _read_form(settings: SettingChanges, now: ModelForm, *, key: str) -> ModelForm:
    """The form as it is filled in."""
    left, right = st.columns(2)
    name = now.name or left.text_input("Display name", placeholder="house", key=f"model-name-{key}") or ""
    providers = list(dict.fromkeys([*settings.providers, now.provider]))
    place = (right if not now.name else left).selectbox(
        "Provider",
        providers,
        index=providers.index(now.provider),
        format_func=lambda provider: "OpenAI, or compatible" if provider == "openai" else provider.capitalize(),
        key=f"model-provider-{key}",
    )
    address = st.text_input(
        "Address",
        now.address,
        placeholder="http://127.0.0.1:8080/v1; empty for the provider's own",
        key=f"model-address-{key}",
    )
    model = st.text_input("Model ID", now.model, placeholder="qwen3-30b", key=f"model-model-{key}")
    places = list(_PLACES)
    key_place = st.selectbox(
        "Key", places, index=places.index(now.key_place), format_func=_PLACES.__getitem__, key=f"model-place-{key}"
    )
    typed, variable = "", ""
    if key_place == "keyring":
        typed = st.text_input(
            "The key",
            type="password",
            placeholder="Empty leaves the one that is kept" if now.key_place == "keyring" else "",
            key=f"model-key-{key}",
            autocomplete="off",
        )
    elif key_place == "environment":
        variable = st.text_input(
            "The variable's name", now.variable, placeholder="OPENAI_API_KEY", key=f"model-variable-{key}"
        )
    return ModelForm(
        name=name.strip(),
        provider=place,
        model=(model or "").strip(),
        address=(address or "").strip(),
        key_place=key_place,
        variable=(variable or "").strip(),
        key=(typed or "").strip(),
    )


def _keep(form: ModelForm) -> None:
    if _worked(lambda settings: settings.keep_model(form)):
        st.session_state[f"kept-{_FORM}"] = True
        st.session_state["model-chosen"] = form.name
        st.session_state["model-forms"] = st.session_state.get("model-forms", 0) + 1


def _remove(name: str) -> None:
    if _worked(lambda settings: settings.remove_model(name)):
        st.session_state["model-chosen"] = ""


def _worked(change: Callable[[SettingChanges], Coroutine[Any, Any, object]]) -> bool:
    """Whether a change was made; where it was not, the reason is shown below the form."""
    live = session_hub.current()
    try:
        live.call(change(live.workspace.choices.settings))
    except AssistantError as error:
        st.session_state[f"trouble-{_FORM}"] = str(error)
        return False
    return True


def _draw_budgets(settings: SettingChanges) -> None:
    columns = st.columns(2)
    for n, field in enumerate(_BUDGETS):
        with columns[n % 2]:
            draw_number(settings, field)
    own = [
        disclosing.describe_limit(f"budgets.{span}.{role}.{budget}", limit)
        for span in ("turn", "session")
        for role in _ROLES
        for budget in ("calls", "tokens", "dollars", "seconds")
        if (limit := settings.value(("budgets", span, role, budget))) is not None
    ]
    if own:
        st.markdown(f":gray[Also at most {line(', '.join(own))}.]")


def _draw_trial(trial: TrialResult) -> None:
    (st.success if trial.ok else st.error)(plain(trial.text))
