# One image for the API, the indexer, the operators' port, the dashboard and `ops`; the command chooses. docs/deployment.md says how to run it.
# The base needs Node >= 22.18 (it runs TypeScript as it is), npm and /bin/sh.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/dashboard/package.json apps/dashboard/
COPY apps/indexer/package.json apps/indexer/
COPY apps/operators/package.json apps/operators/
COPY apps/ops/package.json apps/ops/
COPY libs/http/package.json libs/http/
COPY libs/intake/package.json libs/intake/
COPY libs/operations/package.json libs/operations/
COPY libs/read-models/package.json libs/read-models/
COPY libs/shared/package.json libs/shared/
COPY libs/webhooks/package.json libs/webhooks/
COPY web/package.json web/

FROM manifests AS modules
RUN npm ci --omit=dev

FROM manifests AS pages
RUN npm ci --workspace @tranche/web
COPY tsconfig.json CHANGELOG.md CONTRIBUTING.md ./
COPY data/README.md data/
COPY tools/bench/README.md tools/bench/
COPY docs docs
COPY web web
RUN node web/build.ts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    TRANCHE_INDEXER_PORT=3003
WORKDIR /app
COPY --from=modules /app ./
COPY --from=pages /app/web/dist web/dist
COPY infra/node-version.cjs infra/
COPY infra/image infra/image
COPY libs libs
COPY apps apps
# The version is that of package.json; docker build --build-arg REVISION=$(git rev-parse HEAD)
ARG REVISION=
ARG VERSION=
LABEL org.opencontainers.image.title=Tranche \
    org.opencontainers.image.licenses=Apache-2.0 \
    org.opencontainers.image.version=$VERSION \
    org.opencontainers.image.revision=$REVISION
RUN printf '%s\n' "$REVISION" >revision && ln -s /app/infra/image/ops /usr/local/bin/ops
# Where docker-compose.yml mounts the operators' token and backups: a new volume takes the owner of the folder.
RUN mkdir -p /run/tranche /backups && chown 1000:1000 /run/tranche /backups
# A number, so that Kubernetes can check that it is not root. All files belong to root: the process can change none of them.
USER 1000:1000
EXPOSE 3000 3001 3002 3003 3004 3005
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/app/infra/image/run", "health"]
ENTRYPOINT ["/app/infra/image/run"]
CMD ["api"]
