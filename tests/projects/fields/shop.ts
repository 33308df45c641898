export interface Item { name: string; note?: string; readonly tags: string[] }
export class Dto { @Column({ name: 'ttl', nullable: true }) title?: string; @Expose({ name: 'priceCents' }) price!: number; }
export type T = { a: string; b?: number };
