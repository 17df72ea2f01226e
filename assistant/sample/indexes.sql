-- Made after the rows are in, which is faster.
CREATE INDEX stores_region ON stores (region_id);
CREATE INDEX customers_region ON customers (region_id);
CREATE INDEX customers_signup ON customers (signup_date);
CREATE INDEX products_category ON products (category_id);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_region ON orders (region_id);
CREATE INDEX orders_store ON orders (store_id);
CREATE INDEX orders_date ON orders (order_date);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX returns_date ON returns (return_date);
CREATE INDEX marketing_spend_region ON marketing_spend (region_id);
CREATE INDEX support_tickets_customer ON support_tickets (customer_id);
CREATE INDEX support_tickets_opened ON support_tickets (opened_date);
