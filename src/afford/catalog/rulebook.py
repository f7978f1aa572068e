"""Access rules as authors write them: read, and held against the roles that exist."""

from __future__ import annotations

from afford.access import Rule, as_rule
from afford.catalog.findings import Findings, closest


class Rulebook:
    """Reads the access rules of one app."""

    def __init__(self, *, app: str, default: object, roles: frozenset[str], findings: Findings) -> None:
        """Read the app's own rule first.

        Args:
            app: the app's name, for messages.
            default: the app's rule for what states none; None: there is none.
            roles: every role that can be held.
            findings: where reports go.
        """
        self._roles = roles
        self._findings = findings
        self._default = self._read(app, default, None)
        self._has_default = default is not None

    def access(self, subject: str, own: object, feature: object, location: str | None) -> Rule | None:
        """The rule of one declaration: its own, else its feature's, else the app's; None after reporting why none.

        Args:
            subject: id, for messages.
            own: what the declaration states.
            feature: what its feature states.
            location: where it stands, for messages.
        """
        stated = feature if own is None else own
        rule = self._read(subject, stated, location) if stated is not None else self._default
        if rule is None:
            if stated is None and not self._has_default:
                message = "no access rule: not on the operation, its feature or the app"
                self._findings.add("ACC101", subject, message, location=location)
            return None
        self.check(subject, rule, location)
        return rule

    def check(self, subject: str, rule: Rule, location: str | None) -> None:
        """Report roles that nobody can hold."""
        for role in sorted(rule.roles_named() - self._roles):
            fix = closest(role, self._roles)
            self._findings.add("ACC102", subject, f"nobody can hold the role `{role}`", fix=fix, location=location)

    def _read(self, subject: str, value: object, location: str | None) -> Rule | None:
        try:
            return as_rule(value)
        except TypeError as error:
            self._findings.add("ACC103", subject, str(error), location=location)
            return None
