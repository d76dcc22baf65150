"""A desk for one person: claims checked one after another, verdicts reviewed, all of it kept.

Pages are those of `views`; nothing leaves this machine unless a host and a token are given."""
