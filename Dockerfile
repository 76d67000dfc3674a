# The base has npm, and the Node that npm would install otherwise; the image gets only Node and its
# libraries. A release names the base by its digest: --build-arg BASE=…@sha256:…
ARG BASE=docker.io/library/node:26-slim

# The runtime packages, without the optional ones, which would be Node again.
FROM ${BASE} AS packages
WORKDIR /build
COPY package.json package-lock.json .npmrc LICENSE ./
COPY packages/console/package.json packages/console/
COPY packages/contract/package.json packages/contract/
COPY packages/lab/package.json packages/lab/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/simulator/package.json packages/simulator/
RUN ["node", "/usr/local/lib/node_modules/npm/bin/npm-cli.js", "ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]

# The console's pages. Only this stage has their build tools.
FROM ${BASE} AS pages
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/console/package.json packages/console/
COPY packages/contract/package.json packages/contract/
COPY packages/lab/package.json packages/lab/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/simulator/package.json packages/simulator/
RUN ["node", "/usr/local/lib/node_modules/npm/bin/npm-cli.js", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
COPY packages/console packages/console
COPY packages/contract packages/contract
RUN ["node", "packages/console/scripts/build.ts"]

# The root folder of the image, file by file: Node, the libraries that it loads, the product.
FROM packages AS root
COPY packages packages
COPY --from=pages /build/packages/console/dist packages/console/dist
COPY deploy/image deploy/image
# --version also shows it: --build-arg COMMIT="$(git rev-parse HEAD)".
ARG COMMIT
RUN ["node", "deploy/image/assemble.ts", "/image"]

# No shell and no program but Node: an intruder cannot use missing programs.
FROM scratch
LABEL org.opencontainers.image.title="Model Gateway" \
  org.opencontainers.image.description="A self-hosted gateway for model calls, with caps that are exact and provable" \
  org.opencontainers.image.licenses="MIT"
COPY --from=root /image /
COPY --from=root --chown=1000:1000 /image/var/lib/model-gateway /var/lib/model-gateway
ENV NODE_ENV=production PATH=/usr/local/bin
WORKDIR /etc/model-gateway
VOLUME /var/lib/model-gateway
USER 1000:1000
EXPOSE 8787 8788
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || process.env.GATEWAY_PORT || 8787) + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-sigusr1", "/opt/model-gateway/packages/server/bin/model-gateway.js"]
CMD ["serve"]
