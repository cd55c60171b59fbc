/**
 * A self-signed certificate for 127.0.0.1 and its key, for targets that tests serve over HTTPS: made once, since Node
 * makes none, good until 2120, and trusted only where it is configured.
 */

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxPBcFoGa+y9MptSL
B2+K5c//NC2n/+BrHYUECdTsFQ+hRANCAATrF4OFnm/JsnmOZ7zEWxFUbTnIDVfn
AQfWhMr9rCkDUrKNKsmAv3L/x3qEUyFa1VmJ2Kb3pv8Ll/yeYDJebImY
-----END PRIVATE KEY-----
`;

export const cert = `-----BEGIN CERTIFICATE-----
MIIBZTCCAQygAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5wcm9vZmxv
YWQgdGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOcHJvb2Zsb2FkIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATr
F4OFnm/JsnmOZ7zEWxFUbTnIDVfnAQfWhMr9rCkDUrKNKsmAv3L/x3qEUyFa1VmJ
2Kb3pv8Ll/yeYDJebImYo0MwQTAPBgNVHREECDAGhwR/AAABMA8GA1UdEwEB/wQF
MAMBAf8wHQYDVR0OBBYEFFYh7fxogbmxQr65/Kl/h9YHtL1VMAoGCCqGSM49BAMC
A0cAMEQCIG4YPE/Dr3pwoMyy9B02AFrjAg2INDWg0s8x3p6+nNrWAiBQbMNlpsIF
m+Ho9NH8T3Gv5EXlH4xt5DFBu82tNQ+Lww==
-----END CERTIFICATE-----
`;
