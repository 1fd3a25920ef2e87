"""An independent checker of the certificates that spec/certificate.md describes: standard library only."""

from couperation_checker.claims import Verdict, check_certificate, check_object

__version__ = "0.2.0"
__all__ = ["Verdict", "check_certificate", "check_object"]
