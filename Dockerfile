# The pages of `uhhrag serve` in a container. It is built from a clone:
#
#     docker build -t uhhrag .                    # the pages fetch the models when they are opened
#     docker build --target models -t uhhrag .    # the models are in the image
#     docker run --rm -p 127.0.0.1:8300:8300 -e UHHRAG_TOKEN=… -v uhhrag:/data uhhrag
#
# The volume keeps models, collections, claims and reviews; a new one begins with what the image has.
# Compiling llama.cpp takes some minutes. Without --build-arg PIP_EXTRA_INDEX_URL=… (the index with
# PyTorch's CPU builds) pip takes the general build of torch, which brings several GB of CUDA libraries.
# Debian's packages are not pinned: its stable release changes them for security only.
FROM python:3.11-slim-bookworm AS build
ARG PIP_EXTRA_INDEX_URL=
# For other processors than this one, too; with --build-arg CMAKE_ARGS= for this one alone.
ARG CMAKE_ARGS=-DGGML_NATIVE=OFF
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends build-essential git \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
ENV VIRTUAL_ENV=/opt/uhhrag
# What pip fetched and compiled is kept for the next build. What only tests and builds need goes.
RUN --mount=type=cache,target=/root/.cache/pip python -m venv "$VIRTUAL_ENV" && scripts/setup \
    && "$VIRTUAL_ENV/bin/python" -m pip install --no-deps --no-build-isolation --force-reinstall . \
    && "$VIRTUAL_ENV/bin/python" -m pip uninstall --yes cmake mypy playwright ruff

FROM python:3.11-slim-bookworm AS program
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 tesseract-ocr \
    && rm -rf /var/lib/apt/lists/* && useradd --create-home --uid 1000 uhhrag \
    && install -d -o uhhrag -m 700 /data
COPY --from=build /opt/uhhrag /opt/uhhrag
# With XDG_DATA_HOME, collections stay in the volume even if another user owns it.
ENV PATH=/opt/uhhrag/bin:$PATH UHHRAG_HOME=/data XDG_DATA_HOME=/data
USER 1000
EXPOSE 8300
# Inside a container the address must be open; what may reach it is decided by `docker run -p`.
CMD ["uhhrag", "serve", "--host", "0.0.0.0", "--no-browser"]
HEALTHCHECK --start-period=1m \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8300/enter')"]

# A volume is declared last: what is written into one while an image is built is lost.
FROM program AS models
ARG MODELS=check
RUN uhhrag models pull "$MODELS"
VOLUME /data

FROM program
VOLUME /data
