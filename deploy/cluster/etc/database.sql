-- Run once on the leader. `dpp migrate` then creates the tables and the four roles of the gateway.
create role gateway login createrole password :'gateway_password';
create database dpp owner gateway;
