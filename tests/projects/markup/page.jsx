export const Badge = ({ text }) => <span className="badge" title={text}>{text}</span>;
