"""The commands of `tandem`, a module for each subject. What a command needs is imported when it runs."""
