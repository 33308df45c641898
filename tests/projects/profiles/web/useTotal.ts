import { useMemo } from "react";

export function useTotal(items: string[]) {
  return useMemo(() => items.length, [items]);
}

export async function useCoupon(code: string) {
  return fetch(`/coupons/${code}`);
}

export function couponMutation(code: string) {
  return { mutationFn: () => useCoupon(code), retry() { return useCoupon(code); } };
}
