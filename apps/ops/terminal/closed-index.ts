/** The advice for an index that a full disk has blocked. */
const MAKE_ROOM =
  "Free disk space. If a rebuild fills the disk, delete its new indices: `ops reindex status --json` names them.";

export const closedByDiskText = (index: string): string =>
  `${index} takes no writes: Elasticsearch blocks them, because a disk is nearly full. It allows writes again when there is room.`;

/** Says what to do if `reason` is Elasticsearch's refusal of a write to an index that a full disk has blocked; otherwise undefined. */
export function closedIndexText(reason: string): string | undefined {
  const [, index] = /index \[([^\]]+)\] blocked by: \[[^\]]*read-only-allow-delete/.exec(reason) ?? [];
  return index && `${closedByDiskText(index)} ${MAKE_ROOM}`;
}
