import { When } from "../../../ui/when.tsx";
import { useToday } from "../../today.ts";
import "./announced-day.css";

/** The day on which a round was announced, or will be: sources know some days in advance. */
export function AnnouncedDay({ date }: { date: string }) {
  const today = useToday();
  return (
    <>
      <When time={date} as="day" />
      {today !== undefined && date > today && (
        <>
          {" "}
          <span class="in-future">in the future</span>
        </>
      )}
    </>
  );
}
