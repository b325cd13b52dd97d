import { connect, isIP } from "node:net";
import {
  type ConnectionOptions,
  type ConnectionRequestOptions,
  type ConnectionRequestOptionsAsStream,
  type ConnectionRequestParams,
  type ConnectionRequestResponse,
  type ConnectionRequestResponseAsStream,
  UndiciConnection,
} from "@elastic/elasticsearch";

/** How often the connection checks whether the node has answered anything. */
const LOOK_EVERY_MS = 2000;
/** TCP repeats a lost packet after 1 s, so this allows one repetition. */
const CONNECT_WITHIN_MS = 2000;
const FAILURES = 2;
/** Errors of a host that is gone or of a port without a listener. Other errors come from this machine or its DNS. */
const GONE = new Set(["ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ECONNREFUSED"]);

/**
 * A connection to an Elasticsearch node that fails its requests when the host has vanished without closing connections (power, network);
 * TCP would wait for 15 minutes. A vanished host accepts no new connection, but a busy node does, so long requests are not affected.
 */
export class WatchedConnection extends UndiciConnection {
  static times = { lookEveryMs: LOOK_EVERY_MS, connectWithinMs: CONNECT_WITHIN_MS };
  readonly #options: ConnectionOptions;
  readonly #times: typeof WatchedConnection.times;
  readonly #timer: NodeJS.Timeout;
  #open = 0;
  /** Whether any request was answered since the last check. */
  #answered = false;
  #looking = false;
  #failures = 0;

  constructor(options: ConnectionOptions) {
    super(options);
    this.#options = options;
    this.#times = new.target.times;
    this.#timer = setInterval(() => void this.#look(), this.#times.lookEveryMs).unref();
  }

  override request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions,
  ): Promise<ConnectionRequestResponse>;
  override request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptionsAsStream,
  ): Promise<ConnectionRequestResponseAsStream>;
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions,
  ): Promise<ConnectionRequestResponse | ConnectionRequestResponseAsStream> {
    this.#open++;
    try {
      const answer = await super.request(params, options);
      this.#answered = true;
      return answer;
    } finally {
      this.#open--;
    }
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    await super.close();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const isSilent = this.#open > 0 && !this.#answered;
      this.#answered = false;
      const isGone = isSilent && !(await takesConnections(this.url, this.#times.connectWithinMs)) && !this.#answered;
      this.#failures = isGone ? this.#failures + 1 : 0;
      if (this.#failures < FAILURES) return;
      this.#failures = 0;
      this.#giveUp();
    } finally {
      this.#looking = false;
    }
  }

  /** Fails the open requests as if the node had closed their connections, so that they are sent again, to another node if there is one. */
  #giveUp(): void {
    const gone = this.pool;
    this.pool = new UndiciConnection(this.#options).pool;
    const reason = `${this.url.host} does not answer and accepts no connections`;
    gone.destroy(new Error(reason)).catch(() => {});
  }
}

/** Whether a host takes a connection in time. */
async function takesConnections({ hostname, port, protocol }: URL, withinMs: number): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80) });
  // How long a name is looked up says nothing about the host.
  if (isIP(host)) socket.setTimeout(withinMs);
  else socket.once("lookup", () => socket.setTimeout(withinMs));
  const taken = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("timeout", () => resolve(false));
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(!GONE.has(code)));
  });
  try {
    return await taken;
  } finally {
    socket.destroy();
  }
}
