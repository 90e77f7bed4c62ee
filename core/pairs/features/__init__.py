"""What two headlines of one timeline have in common, as numbers and as log odds made of them."""
