import type { AccountRow } from "../data.ts";
import { Badge } from "../parts/badge.tsx";

const MOODS = { active: "good", suspended: "warning", deleted: "danger" } as const;

export function StatusBadge({ status }: { status: AccountRow["status"] }) {
  return <Badge mood={MOODS[status]}>{status}</Badge>;
}
