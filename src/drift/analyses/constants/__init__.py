"""Constants of a project: what there is, who uses it, what repeats without a name, is dead or contradicts itself."""
