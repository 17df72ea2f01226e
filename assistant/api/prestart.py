"""What a program begins before it knows anything else, because it takes long."""

from assistant.runtime.prestart import begin as begin
