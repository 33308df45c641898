# Drift in a container: `docker run -i --rm -v "$PWD:/project" drift` serves MCP over standard input and output.
FROM python:3.13-slim AS build
WORKDIR /build
COPY requirements/run.txt requirements/
RUN python -m venv /opt/drift && \
    /opt/drift/bin/python -m pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/drift/bin/python -m pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim
# hadolint ignore=DL3008 -- security fixes of git are wanted as they come
RUN apt-get update && \
    apt-get install -y --no-install-recommends git && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --uid 1000 drift && \
    mkdir -m 1777 /var/lib/drift
COPY --from=build /opt/drift /opt/drift
ENV PATH=/opt/drift/bin:$PATH DRIFT_HOME=/var/lib/drift HOME=/var/lib/drift
USER drift
WORKDIR /project
VOLUME ["/var/lib/drift"]
ENTRYPOINT ["drift"]
CMD ["mcp", "analysis", "/project"]
