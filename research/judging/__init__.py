"""Hidden-test mode: a system is a command that is run on articles without their headlines, and scored."""
