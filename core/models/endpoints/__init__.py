"""Language models at an address: whom the user allowed, what is asked, and what was answered."""
