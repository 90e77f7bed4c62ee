"""What weighs the derivations of a number and the answers of a blank: trees over what speaks for each."""
