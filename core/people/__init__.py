"""What people say of headlines: forms of questions, their answers, and where answers are kept.

Public: `agreement` (group_agreement), `forms` (evaluation_forms), `votes` (consensus). Inside:
study_answers."""
