"""Which of two headlines people prefer: strengths of systems, and what may have bent the choices."""
