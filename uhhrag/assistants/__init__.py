"""What assistants and other programs ask over the Model Context Protocol."""
