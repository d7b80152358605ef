import type { RefObject } from "preact";
import { Icon } from "../ui";

/** The answer in a line that stays in sight on a phone, where the answer itself lies below the keys; a tap goes there. */
export function Brief({ strong, text, to }: { strong: string; text: string; to: RefObject<HTMLElement | null> }) {
  return (
    <button type="button" class="button brief" onClick={() => to.current?.scrollIntoView()}>
      <b>{strong}</b>
      <span class="cut grow">{text}</span>
      <Icon name="down" />
    </button>
  );
}
