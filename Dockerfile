# syntax=docker/dockerfile:1
ARG BASE=node:26-slim

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM ${BASE}
ENV NODE_ENV=production \
    BLUEPENCIL_CONFIG=/config/bluepencil.yaml
COPY --from=dependencies /app/node_modules /app/node_modules
COPY package.json LICENSE /app/
COPY src /app/src
RUN mkdir /data && chown node:node /data
# The default store, file:./data, is then /data.
WORKDIR /
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/main.ts"]
CMD ["serve"]
