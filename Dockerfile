# docs/run.md: how to run it; docs/internals/reliability.md: how it is tested.
ARG BASE=node:26-slim

# What npm pack makes of the checkout. TypeScript's compiler is among the optional packages.
FROM ${BASE} AS package
WORKDIR /checkout
COPY package.json package-lock.json ./
# Where packages come from a registry of your own: --secret id=npmrc,src=$HOME/.npmrc
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE tsconfig.json ./
COPY pack pack
COPY src src
RUN npm pack --pack-destination / && tar -xzf /bluepencil-*.tgz -C /

FROM ${BASE} AS app
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
COPY --from=package /package ./
# Nothing of this is loaded, and it is 26 of 50 MB: declarations, source maps and other TypeScript, pages (licences stay), tests,
# and all fonts but the two of src/message/chart/rasterise.ts.
RUN find node_modules dist -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o -name '*.md' \) ! -iname 'licen[cs]e*' -delete \
    && find node_modules -type d \( -name @types -o -name test -o -name tests -o -name docs \) -prune -exec rm -r {} + \
    && find node_modules/@expo-google-fonts -name '*.ttf' ! -name Inter_400Regular.ttf ! -name Inter_600SemiBold.ttf -delete
# A checkout made with umask 077 would leave the user node nothing to read.
RUN chmod -R u=rwX,go=rX .
# What a start would compile is compiled here, for the user of the image: no start waits for it or keeps the compiler.
RUN install -d -o node node_modules/.cache
USER node
RUN NODE_COMPILE_CACHE=node_modules/.cache/bluepencil node --input-type=module --eval " \
    import { globSync } from 'node:fs'; \
    const begin = ['dist/main.js', 'dist/console/live-page.js', 'dist/console/copy.js', 'dist/console/link-key.js']; \
    const ours = globSync('dist/**/*.js', { exclude: begin }).map((file) => import.meta.resolve('./' + file)); \
    await Promise.all(['@slack/bolt', ...ours].map((module) => import(module)))"
USER root
RUN chown -R root:root node_modules/.cache && chmod -R u=rwX,go=rX node_modules/.cache
RUN mkdir -p /new/bin /new/data && ln -s /app/dist/main.js /new/bin/bluepencil

# Nothing runs in this stage: the image is the base and what is copied here.
FROM ${BASE}
LABEL org.opencontainers.image.title=Bluepencil \
      org.opencontainers.image.description="Alerts a newsroom when an AI chat model changes what it refuses to say" \
      org.opencontainers.image.licenses=Apache-2.0
# The configuration may be absent: then everything is set up in the console, which must be reachable from outside the container.
# The health check's address is a variable for those who set server.host, server.port or server.basePath.
# Two heaps for all threads instead of eight for each processor: 3 MB less at rest on two processors.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    BLUEPENCIL_CONFIG_DEFAULT=/config/bluepencil.yaml \
    BLUEPENCIL_CONSOLE_HOST=0.0.0.0 \
    BLUEPENCIL_HEALTH_URL=http://127.0.0.1:8080/healthz
COPY --from=app /new/bin /usr/local/bin
COPY --from=app --chown=node:node /new/data /data
COPY --from=app /app/node_modules /app/node_modules
COPY --from=app /app/package.json /app/LICENSE /app/
COPY --from=app /app/dist /app/dist
# The default store, file:./data, is then /data.
WORKDIR /
VOLUME /data
USER node
EXPOSE 8080 8081
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["node", "-e", "fetch(process.env.BLUEPENCIL_HEALTH_URL).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bluepencil"]
# A container that ended for its configuration would be started again and again.
CMD ["serve", "--wait"]
