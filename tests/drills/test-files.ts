/**
 * Drills that are test files, `<name>.test.ts` beside this file: they break engines, wait for real time to pass, start clusters, or
 * install something. They have one size, and share the engines that one run finds or starts.
 */
export const TEST_FILES: readonly { name: string; about: string }[] = [
  { name: "protocol", about: "the models of the write protocol and of the feed, searched whole" },
  { name: "leader", about: "several indexers with a leader, which is killed and cut off" },
  { name: "shared-work", about: "work that two indexers share, one of which is killed" },
  { name: "lost-targets", about: "a rebuild's index loses its shard, or a full disk closes it" },
  { name: "refused-writes", about: "Redis answers and takes no writes, single and as a Cluster" },
  { name: "vanished-redis", about: "Redis vanishes without closing connections" },
  { name: "redis-cluster-start", about: "an API starts and runs without any master of a Redis Cluster" },
  { name: "redis-roles", about: "processes with the rights of infra/roles on a Redis Cluster and behind Sentinels" },
  { name: "several-addresses", about: "one of several Elasticsearch nodes goes away, or vanishes" },
  { name: "readiness", about: "readiness of an API through outages and its own end" },
  { name: "indexer-port", about: "liveness, readiness and metrics of an indexer that is stuck or cut off" },
  { name: "export-limits", about: "exports at their limits, with killed processes and slow readers" },
  {
    name: "long-waits",
    about: "a request for changes that waits for half a minute, and a refresh without its primary",
  },
  { name: "ended-exports", about: "exports whose process is stopped or killed" },
  {
    name: "full-size",
    about:
      "tests of npm test in their full form: lists, pages, cursors and statistics against plain loops, cached pages, and races",
  },
  { name: "sample", about: "facts of the whole sample, every request that the docs show, and searches by name" },
  { name: "page-speed", about: "scripts, first paint, a changed filter and a slow line, in a browser" },
  { name: "api-fuzz", about: "10,000 malformed requests to all endpoints" },
  { name: "local-engines", about: "engines found, started, kept and ended, also after kill -9" },
  { name: "start", about: "npm start, and its end" },
  {
    name: "production-install",
    about: "the programs, installed without dev dependencies, on every supported version of Node",
  },
  { name: "deployment-files", about: "GitHub workflows and alerts, by their own checkers" },
  { name: "kubernetes", about: "manifests against schemas, and the chart against the manifests" },
  { name: "kubernetes-api", about: "manifests and chart applied to an API server of Kubernetes, without nodes" },
];
