# proofload with its k6, for CI and clusters:
#
#   docker build -t proofload .
#   docker run --rm --read-only --tmpfs /tmp --user "$(id -u)" -v "$PWD:/work" -e PROOFLOAD_ACCESS_KEY proofload verify --help
#
# It writes to /work, where the reports go, and to /tmp, nowhere else.

# go.mod and go.sum pin k6 and every module of it by version and checksum.
FROM golang:1.26-bookworm AS k6
WORKDIR /src
COPY scripts/k6/go.mod scripts/k6/go.sum scripts/k6/tools.go ./
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /k6 go.k6.io/k6/v2

FROM node:20.20.2-bookworm-slim AS node
# Node itself, as its makers have published it for this version.
RUN case "$(dpkg --print-architecture)" in \
      amd64) sum=6295488653f0d93b0a157841746fef7e72cc4328cfb60c4bbe0ca2668a836ffd ;; \
      arm64) sum=05a69ccdcb795f2a8b86c145e71a6a37cce84fccef5aaf25a8fe38bc9423e732 ;; \
      *) echo 'proofload is built for amd64 and arm64' >&2; exit 1 ;; \
    esac; \
    echo "$sum  /usr/local/bin/node" | sha256sum --check --quiet

FROM node AS build
WORKDIR /src
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
RUN npm ci --ignore-scripts
COPY schemas ./schemas
COPY conformance ./conformance
COPY reference ./reference
COPY scenarios ./scenarios
COPY reports ./reports
COPY scripts ./scripts
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
# For k6; Node brings its own.
COPY --from=k6 /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=k6 /k6 /usr/local/bin/k6
COPY --from=build /src/package.json /opt/proofload/
COPY --from=build /src/node_modules /opt/proofload/node_modules
COPY --from=build /src/schemas/openapi.json /opt/proofload/schemas/
COPY --from=build /src/dist /opt/proofload/dist
ENV HOME=/tmp
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/proofload/dist/scripts/main.js"]
CMD ["--help"]
