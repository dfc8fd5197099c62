"""What tells how a performance went: did it follow, where not, and why."""

from understudy.reconstruction.account.account import Account, Astray
from understudy.reconstruction.account.causes import Fall
from understudy.reconstruction.account.judging import ASTRAY_M, account_of
from understudy.reconstruction.account.stretches import Stretch

__all__ = ["ASTRAY_M", "Account", "Astray", "Fall", "Stretch", "account_of"]
