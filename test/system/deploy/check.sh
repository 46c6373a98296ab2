#!/usr/bin/env bash
# Tries docs/deploy/ on this machine: a signed delivery through nginx and through Caddy, what neither passes on, and what
# systemd says of the unit. Needs Debian, root and apt-get; all of it is on loopback and ends by itself.
set -euo pipefail
cd "$(dirname "$0")/../../.."
root=$PWD
for tool in nginx:nginx-light caddy:caddy systemd-analyze:systemd openssl:openssl curl:curl; do
  command -v "${tool%%:*}" >/dev/null || apt-get install -y -qq "${tool##*:}" >/dev/null
done

work=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

secret=whsec_dGhlIHNlY3JldCBvZiB0aGUgcHJveGllcw
cat >"$work/bluepencil.yaml" <<YAML
server: { host: 127.0.0.1, port: 18080 }
store: file:$work/data
webhook: { secrets: [$secret] }
channels: [{ name: desk, type: console }]
YAML
"$root/node_modules/.bin/node" src/main.js serve --config "$work/bluepencil.yaml" >"$work/shown" 2>"$work/log" &
pids+=($!)
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=alerts.desk.example \
  -addext subjectAltName=DNS:alerts.desk.example -keyout "$work/key" -out "$work/cert" 2>/dev/null

sed -e 's/listen 443/listen 127.0.0.1:18443/' -e 's/127.0.0.1:8080/127.0.0.1:18080/' \
  -e "s#/etc/ssl/alerts.desk.example.pem#$work/cert#" -e "s#/etc/ssl/alerts.desk.example.key#$work/key#" \
  docs/deploy/nginx.conf >"$work/site.conf"
cat >"$work/nginx.conf" <<NGINX
user root; daemon off; pid $work/nginx.pid; error_log $work/nginx.log;
events {}
http { access_log off; include $work/site.conf; client_body_temp_path $work/body; proxy_temp_path $work/proxy;
  fastcgi_temp_path $work/f; uwsgi_temp_path $work/u; scgi_temp_path $work/s; }
NGINX
nginx -c "$work/nginx.conf" 2>"$work/nginx.err" &
pids+=($!)

sed -e 's/^alerts.desk.example {/https:\/\/alerts.desk.example:18444 {\n\ttls internal/' \
  -e 's/127.0.0.1:8080/127.0.0.1:18080/' docs/deploy/Caddyfile >"$work/Caddyfile"
sed -i '1i {\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}' "$work/Caddyfile"
# Names that only a network of containers has cannot be asked here: Caddy reads the file, and opens nothing.
HOME=$work caddy validate --config docs/deploy/Caddyfile.replicas --adapter caddyfile 2>"$work/caddy-replicas.log"
XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work HOME=$work caddy run --config "$work/Caddyfile" --adapter caddyfile 2>"$work/caddy.log" &
pids+=($!)

ask() { # PORT PATH [curl options]: the status
  local port=$1 path=$2
  shift 2
  curl -sk -o /dev/null -w '%{http_code}' --resolve "alerts.desk.example:$port:127.0.0.1" "$@" \
    "https://alerts.desk.example:$port$path"
}
sign() { openssl dgst -sha256 -hmac "$secret" "$1" | sed 's/.*= //'; }
expect() { # WHAT WANTED GOT
  if [ "$2" = "$3" ]; then echo "ok: $1: $3"; else echo "not ok: $1: $3, not $2" && cat "$work/log" && exit 1; fi
}
for port in 18443 18444; do
  for _ in $(seq 100); do [ "$(ask $port /nothing || true)" = 404 ] && break; sleep 0.1; done
done
for _ in $(seq 100); do curl -s -o /dev/null http://127.0.0.1:18080/healthz && break; sleep 0.1; done

for proxy in nginx:18443 caddy:18444; do
  name=${proxy%%:*} port=${proxy##*:}
  body=$work/$name.json
  printf '{ "id": "evt_%s",\r\n "type":"censorship_spike","model":"claude","data":{"category":"political","delta":"+12pp","detected_at":"%s"}}' \
    "$name" "$(date -u +%FT%TZ)" >"$body"
  signed=(-X POST -H "X-Service-Signature: $(sign "$body")" -H 'Content-Type: application/json' --data-binary "@$body")
  expect "$name passes a signed delivery on, to the byte" 202 "$(ask $port /webhook "${signed[@]}")"
  expect "$name passes it on again" 200 "$(ask $port /webhook "${signed[@]}")"
  expect "$name passes a forged one on, which is refused" 401 \
    "$(ask $port /webhook -X POST -H 'X-Service-Signature: 00' --data-binary "@$body")"
  head -c 280000 /dev/zero | tr '\0' x >"$work/large"
  expect "$name passes a large one on, which is refused" 413 \
    "$(ask $port /webhook -X POST -H "X-Service-Signature: $(sign "$work/large")" --data-binary "@$work/large")"
  expect "$name passes the links in mails on" 405 "$(ask $port /unsubscribe/token -X PUT)"
  for path in /metrics /readyz /healthz /METRICS /metrics/ /webhook/ /; do
    expect "$name does not pass $path on" 404 "$(ask $port $path)"
  done
done
grep -q evt_nginx "$work/shown" && grep -q evt_caddy "$work/shown"
expect 'both alerts were shown' yes yes

sed -e "s#/opt/bluepencil/node_modules/.bin/node#$root/node_modules/.bin/node#" docs/deploy/bluepencil.service >"$work/bluepencil.service"
systemd-analyze verify "$work/bluepencil.service"
expect 'systemd reads the unit' yes yes
exposure=$(systemd-analyze security --offline=true --threshold=20 "$work/bluepencil.service" | tail -1)
echo "ok: $exposure"
