/** Bytes that are taken in portions of any size, or as they come. */
export type ByteQueue = {
  /** The next chunk as it comes; undefined at the end. */
  next(): Promise<Buffer | undefined>;
  /** Exactly this number of bytes; throws where fewer are left. */
  take(count: number): Promise<Buffer>;
  /** Up to this number of bytes, which stay. */
  peek(count: number): Promise<Buffer>;
  /** Passes all bytes of this value, up to the first other one. */
  passAll(value: number): Promise<void>;
  /** Passes everything up to the first byte of this value, and it too; throws where there is none. */
  passThrough(value: number): Promise<void>;
  putBack(bytes: Buffer): void;
};

export function createByteQueue(chunks: AsyncIterable<Buffer>, tooFew: () => Error): ByteQueue {
  const source = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);

  const peek = async (count: number): Promise<Buffer> => {
    while (head.length < count) {
      const next = await source.next();
      if (next.done) break;
      head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    }
    return head.subarray(0, count);
  };

  return {
    peek,
    async next() {
      const chunk = head.length > 0 ? head : (await source.next()).value;
      head = Buffer.alloc(0);
      return chunk as Buffer | undefined;
    },
    async take(count) {
      const taken = await peek(count);
      if (taken.length < count) throw tooFew();
      head = head.subarray(count);
      return taken;
    },
    async passAll(value) {
      while ((await peek(1)).length > 0) {
        const other = head.findIndex((byte) => byte !== value);
        head = other === -1 ? Buffer.alloc(0) : head.subarray(other);
        if (other !== -1) return;
      }
    },
    async passThrough(value) {
      while ((await peek(1)).length > 0) {
        const at = head.indexOf(value);
        head = at === -1 ? Buffer.alloc(0) : head.subarray(at + 1);
        if (at !== -1) return;
      }
      throw tooFew();
    },
    putBack(bytes) {
      head = Buffer.concat([bytes, head]);
    },
  };
}
