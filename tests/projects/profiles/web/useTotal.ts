import { useMemo } from "react";

export function useTotal(items: string[]) {
  return useMemo(() => items.length, [items]);
}
