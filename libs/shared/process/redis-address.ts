type HostAndPort = { host: string; port: number };
type Credentials = { username?: string; password?: string };

/** Where Redis is: one server, the master that Sentinels know by a name, or the masters of a Cluster. */
export type RedisAddress =
  | { kind: "single"; url: string }
  | ({
      kind: "sentinel";
      sentinels: HostAndPort[];
      master: string;
      db: number;
      tls: boolean;
      sentinelCredentials: Credentials;
    } & Credentials)
  | ({ kind: "cluster"; nodes: HostAndPort[]; tls: boolean } & Credentials);

/** The forms of REDIS_URL, for error texts. */
const REDIS_ADDRESSES =
  "redis://host:6379, redis-sentinel://host:26379,host:26379/0#master or redis-cluster://host:6379,host:6379 (with TLS: rediss://, rediss-sentinel://, rediss-cluster://)";

/** An address that cannot be used. The text repeats no part that may be a password with a sign that was not encoded. */
class RedisAddressError extends Error {
  override name = "RedisAddressError";
}

const SHAPE = /^([a-z][a-z\d+.-]*):\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(?:#(.*))?$/i;
const SENTINEL_OPTIONS = new Set(["sentinel_user", "sentinel_password"]);

/** Reads REDIS_URL. Throws a RedisAddressError that says what is wrong with it. */
export function parseRedisAddress(text: string): RedisAddress {
  const [, scheme = "", user, hosts = "", path = "", query = "", fragment = ""] = SHAPE.exec(text) ?? [];
  const others = text.split(",").slice(1);
  if (others.some((other) => /^\s*[a-z][a-z\d+.-]*:\/\//i.test(other))) {
    throw new RedisAddressError(
      "it has more than one scheme. Write the scheme once, before the first address, and only hosts with ports after the commas",
    );
  }
  const tls = scheme.toLowerCase().startsWith("rediss");
  switch (scheme.toLowerCase().replace(/^rediss/, "redis")) {
    case "redis":
      return single(text, hosts);
    case "redis-sentinel":
      return sentinel({ tls, user, hosts, path, query, fragment });
    case "redis-cluster":
      return cluster({ tls, user, hosts, path, query, fragment });
    default:
      throw new RedisAddressError(
        scheme
          ? `'${scheme}://' is not a scheme of Redis. Expected an address such as ${REDIS_ADDRESSES}`
          : `expected an address such as ${REDIS_ADDRESSES}`,
      );
  }
}

/** The address as it may be shown: without user and password. */
export function shownRedisAddress(text: string): string {
  const [, scheme, , hosts, path, , fragment] = SHAPE.exec(text) ?? [];
  if (scheme === undefined) return "an address that cannot be read";
  return `${scheme}://${hosts}${path ? `/${path}` : ""}${fragment ? `#${fragment}` : ""}`;
}

type Parts = {
  tls: boolean;
  user: string | undefined;
  hosts: string;
  path: string;
  query: string;
  fragment: string;
};

function single(url: string, hosts: string): RedisAddress {
  if (hosts.includes(",")) {
    throw new RedisAddressError(
      "it has several hosts. The nodes of a Cluster need redis-cluster://, Sentinels need redis-sentinel://",
    );
  }
  if (hosts === "" || !URL.canParse(url)) throw new RedisAddressError(`expected an address such as ${REDIS_ADDRESSES}`);
  return { kind: "single", url };
}

function sentinel({ tls, user, hosts, path, query, fragment }: Parts): RedisAddress {
  if (fragment === "") {
    throw new RedisAddressError(
      "the name of the master is missing. Write it after '#', as the Sentinels know it: redis-sentinel://host:26379#mymaster",
    );
  }
  if (!/^\d*$/.test(path))
    throw new RedisAddressError("there is no database number after '/'. Expected a number such as /0, or nothing");
  const options = new URLSearchParams(query);
  if ([...options.keys()].some((name) => !SENTINEL_OPTIONS.has(name))) {
    throw new RedisAddressError(`an option after '?' is not known. Expected ${[...SENTINEL_OPTIONS].join(" or ")}`);
  }
  const [username, password] = [options.get("sentinel_user"), options.get("sentinel_password")];
  return {
    kind: "sentinel",
    sentinels: hostsOf(hosts),
    master: decoded(fragment),
    db: Number(path),
    tls,
    ...credentialsOf(user),
    sentinelCredentials: { ...(username && { username }), ...(password && { password }) },
  };
}

function cluster({ tls, user, hosts, path, query, fragment }: Parts): RedisAddress {
  if (path !== "") {
    throw new RedisAddressError("a Cluster has no database numbers. Leave out the part after the addresses");
  }
  if (query !== "" || fragment !== "") {
    throw new RedisAddressError("a Cluster takes neither options after '?' nor a name after '#'");
  }
  return { kind: "cluster", nodes: hostsOf(hosts), tls, ...credentialsOf(user) };
}

function hostsOf(hosts: string): HostAndPort[] {
  if (hosts.includes("@")) {
    throw new RedisAddressError(
      "user and password are written once, before the first address, and apply to all of them",
    );
  }
  return hosts.split(",").map((each, n) => {
    const [, host, port] = /^(\[[\da-f:.]+\]|[^:\s]+):(\d{1,5})$/i.exec(each.trim()) ?? [];
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new RedisAddressError(
        `address ${n + 1} is not a host with a port. Expected one such as redis-1.internal:6379`,
      );
    }
    return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
  });
}

function credentialsOf(user: string | undefined): Credentials {
  if (user === undefined) return {};
  const colon = user.indexOf(":");
  const [username, password] = colon < 0 ? [user, ""] : [user.slice(0, colon), user.slice(colon + 1)];
  return { ...(username && { username: decoded(username) }), ...(password && { password: decoded(password) }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisAddressError("user, password or name has a '%' that is not a percent-encoding. Write '%' as %25");
  }
}
