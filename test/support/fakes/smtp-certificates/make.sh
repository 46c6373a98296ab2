#!/bin/sh
# Makes the certificates of the SMTP fake anew: a CA of our own, a server certificate for this machine, and one
# for another name. They last until 2126, and vouch for nothing but the tests. Needs openssl.
set -eu
cd "$(dirname "$0")"
days=36500
ec='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
openssl req -x509 $ec -days $days -subj '/CN=Bluepencil test CA' -keyout ca-key.pem -out ca.pem \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign'
openssl req -x509 $ec -days $days -subj '/CN=localhost' -keyout server-key.pem -out server.pem -CA ca.pem -CAkey ca-key.pem \
  -addext 'basicConstraints=critical,CA:FALSE' -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1'
openssl req -x509 -key server-key.pem -days $days -subj '/CN=elsewhere.example' -out elsewhere.pem -CA ca.pem -CAkey ca-key.pem \
  -addext 'basicConstraints=critical,CA:FALSE' -addext 'subjectAltName=DNS:elsewhere.example'
rm ca-key.pem
