"""What people say of headlines: forms of questions, their answers, and where answers are kept."""
