"""Prints the page and the source of each document in an environment of Sphinx."""
import os
import pickle
import sys

with open(sys.argv[1], "rb") as file:
    environment = pickle.load(file)
for document in sorted(environment.found_docs):
    print(f"{document}\t{os.path.relpath(environment.doc2path(document))}")
