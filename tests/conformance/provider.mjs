// A certified OpenID provider as the authorization server of test_oauth.py: its own sign-in and consent pages, PKCE
// for all. Prints its address when it answers; its argument is where it sends a person back to.
import http from "node:http";
import { Provider } from "oidc-provider";

const SCOPES = ["drift:read", "drift:write", "drift:admin", "drift:security", "drift:memory"];
const server = http.createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://localhost:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "editor",
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: [process.argv[2]],
        grant_types: ["authorization_code", "refresh_token"],
      },
      { client_id: "drift", client_secret: "drift secret", redirect_uris: [], response_types: [], grant_types: [] },
      {
        client_id: "robot",
        client_secret: "robot-secret",
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
      },
    ],
    scopes: ["openid", "offline_access", ...SCOPES],
    pkce: { required: () => true },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        // Signed tokens for Drift's own address, and for all else such as only the provider can read.
        getResourceServerInfo: async (_ctx, resource) => ({
          scope: SCOPES.join(" "),
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: resource.startsWith("http://localhost") ? "jwt" : "opaque",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
