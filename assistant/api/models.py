"""Language models: which are used, what they may see and were sent, and the usage of their budgets."""

from assistant.models.budget import Account as Account
from assistant.models.listing import (
    ListedModel as ListedModel,
    TrialResult as TrialResult,
    list_models as list_models,
    try_out as try_out,
)
from assistant.record.store.sent_calls import SentCall as SentCall
from assistant.session.roles.disclosing import SUGGESTED as SUGGESTED, Disclosure as Disclosure, unchosen as unchosen
from assistant.session.settings.configured_models import ConfiguredModels as ConfiguredModels
from assistant.session.roles.model_use import ModelUse as ModelUse
from assistant.session.settings.configured_models import KeyPlace as KeyPlace, ModelForm as ModelForm
from assistant.settings.level_store import LEVELS as LEVELS, Sees as Sees
