# For a release pin the base by its digest, which stays what it is: node:26-slim@sha256:… as
# `docker buildx imagetools inspect node:26-slim` prints it.
#
# The packages that run. The base image has the Node that npm would bring otherwise: no optional ones.
FROM node:26-slim AS packages
WORKDIR /opt/model-gateway
COPY package.json package-lock.json .npmrc ./
COPY packages/console/package.json packages/console/
COPY packages/contract/package.json packages/contract/
COPY packages/lab/package.json packages/lab/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/simulator/package.json packages/simulator/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# The console's pages. What builds them is in this stage alone.
FROM node:26-slim AS pages
WORKDIR /opt/model-gateway
COPY package.json package-lock.json .npmrc ./
COPY packages/console/package.json packages/console/
COPY packages/contract/package.json packages/contract/
COPY packages/lab/package.json packages/lab/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/simulator/package.json packages/simulator/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY packages/console packages/console
RUN node packages/console/scripts/build.ts

FROM node:26-slim
ENV NODE_ENV=production MODEL_GATEWAY_CONFIG=/etc/model-gateway/gateway.yaml
WORKDIR /opt/model-gateway
COPY --from=packages /opt/model-gateway/node_modules node_modules
COPY package.json LICENSE ./
COPY --from=pages /opt/model-gateway/packages/console/dist packages/console/dist
COPY packages/contract packages/contract
COPY packages/lab packages/lab
COPY packages/sdk packages/sdk
COPY packages/server packages/server
COPY packages/simulator packages/simulator
# Nothing is installed from here on: what is not there cannot be used by anybody who gets in.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && install -d -o node -g node /var/lib/model-gateway
VOLUME /var/lib/model-gateway
USER node
EXPOSE 8787 8788
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || process.env.GATEWAY_PORT || 8787) + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-sigusr1", "packages/server/bin/model-gateway.js"]
CMD ["serve"]
