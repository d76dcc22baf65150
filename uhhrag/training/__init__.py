"""What training needs beside a trainer: labelled pairs, their scores, a model card."""
