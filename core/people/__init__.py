"""What people say of headlines: forms of questions, their answers, and where answers are kept.

Public: `agreement` (group_agreement), `forms` (evaluation_forms), `vote_consensus` (consensus). Inside:
study_answers."""
