# Editlatch as a sidecar: mount a repository at /repo, keep /data, and talk to port 8080.
#
# Git stores absolute paths in its worktree links. Where people or agents use the worktrees from outside
# the container too, mount the repository and the state at the same paths as on the host.

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
# git is what everything stands on; certificates let it fetch over https; tini ends orphaned children.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/*
# A mounted repository seldom belongs to uid 1000; this one place is declared safe, and no other.
RUN git config --system --add safe.directory /repo \
  && mkdir /data \
  && chown node:node /data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist

# State (tokens, worktrees' bookkeeping) outlives the container; everything else may be read-only.
ENV NODE_ENV=production XDG_STATE_HOME=/data
VOLUME /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# The slim image has no curl.
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# tini passes SIGTERM on, so that batches in flight are finished before the end.
ENTRYPOINT ["/usr/bin/tini", "--", "node", "/app/dist/main.js"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080", "/repo"]
