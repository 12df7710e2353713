# Editlatch as a sidecar of what is mounted:
#
#   docker build -t editlatch .
#   docker run --user "$(id -u):$(id -g)" -v "$PWD:$PWD" -v editlatch:/data -p 127.0.0.1:8080:8080 editlatch
#
# A repository is mounted at the path that it has on the host, because git's links between a repository and its worktrees
# are absolute. State and worktrees lie in /data; where people or agents use the worktrees from outside too, mount a
# directory at its own path and say `--worktrees`.

FROM node:20-bookworm-slim AS build
WORKDIR /app
# The packages first: this layer is built again only when the lock changes.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/setup.mjs ./scripts/
COPY src ./src
RUN node scripts/setup.mjs && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
# git is what everything stands on; certificates let people fetch over https; tini ends orphaned children.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/*
# Whoever runs the container owns the repository, and so may be any user.
RUN install --directory --mode=1777 /data
WORKDIR /app
COPY package.json LICENSE ./
COPY scripts/names-repository.mjs ./scripts/
COPY scripts/container ./scripts/container
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist

# All that is written lies here, and some of it in /tmp; the rest may be read-only. A user of any number has a home here, too,
# for what a --setup keeps.
ENV NODE_ENV=production XDG_STATE_HOME=/data/state HOME=/data/home EDITLATCH_WORKTREES=/data/worktrees
# Whatever port of the host ours is published at, this machine's own names are allowed.
ENV EDITLATCH_HOST=0.0.0.0 EDITLATCH_PORT=8080 EDITLATCH_ALLOW_HOSTS=127.0.0.1,localhost
VOLUME /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# The slim image has no curl.
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.EDITLATCH_PORT}/healthz`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# tini passes SIGTERM on, so that batches in flight are finished before the end; -s: also where it is not the first process.
ENTRYPOINT ["/usr/bin/tini", "-s", "--", "node", "/app/scripts/container/entry.mjs"]
CMD ["serve"]
