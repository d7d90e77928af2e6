# Public renditions. The purge is that of plugins/modules/cdn.
vcl 4.1;
import std;
backend default {
  .host = "127.0.0.1";
  .port = "${ORIGIN}";
  .probe = { .url = "/ready?for=read"; .interval = 1s; .timeout = 2s; .window = 3; .threshold = 2; .initial = 2; }
}
acl purgers { "127.0.0.1"; }
sub vcl_recv {
  if (req.method == "POST" && req.url == "/purge") {
    if (client.ip !~ purgers) { return (synth(403)); }
    ban("obj.http.Surrogate-Key ~ (^|\s)(" + req.http.Surrogate-Key + ")(\s|$)");
    return (synth(200));
  }
  # An expired object is served for an hour only while no gateway can read.
  if (std.healthy(req.backend_hint)) { set req.grace = 1s; }
}
sub vcl_backend_response {
  if (!beresp.uncacheable) { set beresp.grace = 1h; }
}
