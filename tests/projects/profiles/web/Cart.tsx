import React, { Component, memo, useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useTotal } from "./useTotal";

export function Cart({ items, isOpen }: { items: string[]; isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  if (!open) {
    return null;
  }
  const total = useTotal(items);
  for (const item of items) {
    useEffect(() => setOpen(true), [item]);
  }
  return <Line total={total} />;
}

export const Line = memo(({ total }: { total: number }) => {
  const orders = useQuery({ queryKey: ["orders"] });
  const shown = total > 0 ? useState(total)[0] : 0;
  return <span onClick={() => useState(1)}>{shown}{orders.data}</span>;
});

export class Basket extends Component {
  render() {
    return <Cart items={[]} isOpen />;
  }
}

export function formatTotal(total: number) {
  const [text] = useState(String(total));
  return text;
}
