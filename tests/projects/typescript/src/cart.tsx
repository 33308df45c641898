import React, { memo, useCallback, useState } from "react";
import { Button } from "./ui";
import * as Icons from "./icons";

type Props = { items: Item[]; onPay: (total: number) => void };

export const Cart = memo(({ items, onPay }: Props) => {
  const [open, setOpen] = useState(false);
  const pay = useCallback(() => onPay(sum(items)), [items]);
  if (!open) return null;
  return (
    <>
      <section className="cart">
        {items.map((item) => (
          <Row key={item.id} {...item} label={`Item ${item.name}`} />
        ))}
      </section>
      <Button onClick={pay} disabled>
        <Icons.Card size={32} /> Pay
      </Button>
      <button onClick={() => setOpen(false)}>Close</button>
    </>
  );
});

function Row({ label }: { label: string }) {
  return <li>{label}</li>;
}

export function useCart() {
  return useState<Item[]>([]);
}

export default class Page extends React.Component<Props> {
  state = { open: false };
  render() {
    return <Cart {...this.props} />;
  }
}
