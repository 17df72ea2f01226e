"""The commands of `tandem`, a module for each subject. A command imports what it needs when it runs."""
